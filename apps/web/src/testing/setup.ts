import { format } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest } from '@jest/globals';
import { configure } from '@testing-library/react/pure';
import { close, problems, server } from './nova';

/** How much of the page's text a failure shows. */
const SHOWN_MAX = 2_000;

configure({
  // A late element on a loaded machine is no fault: the first page of a worker loads the whole app.
  asyncUtilTimeout: 20_000,
  // The whole document in the terminal would hide the failure.
  getElementError(message, container) {
    const shown = (container.textContent ?? document.body.textContent).replaceAll(/\s+/g, ' ').slice(0, SHOWN_MAX);
    const [what = 'Not found.'] = message?.split('\n\n') ?? [];
    return Object.assign(new Error(`${what}\n\nThe page says: ${shown}`), { name: 'NotFound' });
  },
});

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  const warn = console.warn;
  jest.spyOn(console, 'warn').mockImplementation((...said) => {
    // jsdom gives nothing a size.
    if (!String(said[0]).startsWith('The width(0) and height(0) of chart')) warn(...said);
  });
  jest.spyOn(console, 'error').mockImplementation((...said) => void problems.push(format(...said)));
});
afterEach(async () => {
  await close();
  server.resetHandlers();
  expect(problems.splice(0)).toEqual([]);
});
afterAll(() => server.close());
