export { interactive } from './interactive';
