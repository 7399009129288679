// Jest environment for component specs: jsdom with additions. The network is Node's, which MSW intercepts. There is no
// layout: every element has no size, and a media query knows the width of the window alone.
const { TestEnvironment } = require('jest-environment-jsdom');

const OF_NODE = [
  'Headers',
  'Response',
  'FormData',
  'Blob',
  'File',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'TextEncoder',
  'TextDecoder',
  'CompressionStream',
  'DecompressionStream',
  'BroadcastChannel',
  'structuredClone',
];
const PX_PER_REM = 16;

process.env.TZ = 'UTC';

module.exports = class BrowserEnvironment extends TestEnvironment {
  /** Packages are loaded as Node loads them: their builds for browsers are ES modules. */
  exportConditions() {
    return ['node', 'node-addons', 'require', 'default'];
  }

  async setup() {
    await super.setup();
    const { global: window } = this;
    // jsdom's complaints count as errors of the page, like any other.
    this.dom.virtualConsole.removeAllListeners('jsdomError');
    this.dom.virtualConsole.on('jsdomError', (error) => window.console.error(error));
    for (const name of OF_NODE) window[name] = globalThis[name];
    // As over https: jsdom's own knows no hashes.
    Object.defineProperty(window, 'crypto', { value: globalThis.crypto });
    window.Request = class extends Request {
      constructor(input, init) {
        super(input, withSignalOfNode(init));
      }
    };
    window.fetch = (input, init) => fetch(input, withSignalOfNode(init));
    // No page of a spec is reloaded.
    window.performance.getEntriesByType = () => [];
    window.matchMedia = (query) => ({
      matches: holds(query, window.innerWidth),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    });
    window.ResizeObserver = class {
      observe() {}
      unobserve() {}
      disconnect() {}
    };
    window.IntersectionObserver = window.ResizeObserver;
    window.scrollTo = () => undefined;
    Object.assign(window.Element.prototype, {
      scrollIntoView: () => undefined,
      hasPointerCapture: () => false,
      setPointerCapture: () => undefined,
      releasePointerCapture: () => undefined,
    });
    Object.assign(window.HTMLMediaElement.prototype, {
      play: async () => undefined,
      pause: () => undefined,
      load: () => undefined,
    });
    window.HTMLCanvasElement.prototype.getContext = () => null;
    window.getComputedStyle = (element) => new Proxy(element.style, computedStyle(element));
  }
};

/** Node's `fetch` takes no signal but one of Node. */
function withSignalOfNode(init) {
  if (!init?.signal || init.signal instanceof AbortSignal) return init;
  const { signal } = init;
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  return { ...init, signal: controller.signal };
}

/**
 * There are no style sheets: an element's inline style is its style. jsdom would search for rules at every visibility
 * check, a quarter of a spec's time.
 */
const computedStyle = (element) => ({
  get(style, name) {
    const value = (of) => style[of] || inherited(element, of) || INITIAL[of] || '';
    if (name === 'display') return element.hidden ? 'none' : value(name);
    if (name === 'getPropertyValue') return value;
    return typeof style[name] === 'function' ? style[name].bind(style) : value(name);
  },
});

const INITIAL = {
  display: 'block',
  visibility: 'visible',
  opacity: '1',
  pointerEvents: 'auto',
  animationName: 'none',
  fontSize: `${PX_PER_REM}px`,
};
const INHERITED = new Set(['visibility', 'pointerEvents', 'direction']);

function inherited(element, name) {
  if (!INHERITED.has(name)) return undefined;
  for (let of = element.parentElement; of !== null; of = of.parentElement) if (of.style[name]) return of.style[name];
  return undefined;
}

/** Motion is reduced; of other queries, only widths in rem are supported. */
function holds(query, widthPx) {
  if (query === '(prefers-reduced-motion: reduce)') return true;
  const [, comparison, rem] = /^\(width (<|>=) ([\d.]+)rem\)$/.exec(query) ?? [];
  if (comparison === undefined) throw new Error(`What should ${query} be here?`);
  const limitPx = Number(rem) * PX_PER_REM;
  return comparison === '<' ? widthPx < limitPx : widthPx >= limitPx;
}
