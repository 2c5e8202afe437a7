export { LineQuestions } from './line-questions';
export { watchLive } from './live-view';
