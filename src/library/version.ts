/**
 * The version of paylint. The build puts it into this place: beside a user's bundle there is no file to read it from.
 */
export { version } from '../package.ts';
