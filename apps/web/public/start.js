/**
 * Loads and begins the client once the page's shell and its pictures are on the screen: scripts, which are larger and take
 * longer to run, would hold them up. The server names the client's entry and the parts that this page begins with.
 */
(() => {
  const PICTURES_MS_MAX = 1_000;
  const { client, parts } = document.currentScript.dataset;
  const add = (name, attributes) => document.head.append(Object.assign(document.createElement(name), attributes));
  const begin = () => {
    for (const href of parts.split(' ')) add('link', { rel: 'modulepreload', crossOrigin: '', href });
    add('script', { type: 'module', crossOrigin: '', src: client });
  };
  const late = new Promise((resolve) => setTimeout(resolve, PICTURES_MS_MAX));
  const decoded = Promise.allSettled([...document.images].map((picture) => picture.decode()));
  // What is hidden is never painted.
  if (document.hidden) begin();
  else void Promise.race([decoded, late]).then(() => requestAnimationFrame(() => setTimeout(begin)));
})();
