export { watchLive } from './live-view';
