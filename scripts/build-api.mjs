/** `npm run build:api`: compiles the API into `dist`. It does not check types: `npm run check` does. */
import { API_SOURCES, compileAll } from './steps/compile.mjs';
import { endWith } from './steps/run.mjs';

try {
  await compileAll(API_SOURCES, 'dist');
} catch (error) {
  endWith(error);
}
