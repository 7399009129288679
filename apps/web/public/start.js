/**
 * Begins the client once its shell and the shell's pictures are on the screen. The client's scripts, which the page already
 * preloads, take longer to run than the pictures to come.
 */
(() => {
  const PICTURES_MS_MAX = 1_000;
  const { client } = document.currentScript.dataset;
  const begin = () => {
    const script = document.createElement('script');
    script.type = 'module';
    script.crossOrigin = '';
    script.src = client;
    document.head.append(script);
  };
  const whenPainted = () => requestAnimationFrame(() => setTimeout(begin));
  const decoded = [...document.images].map((picture) => picture.decode().catch(() => undefined));
  // What is hidden is never painted.
  if (document.hidden) begin();
  else
    void Promise.race([Promise.all(decoded), new Promise((late) => setTimeout(late, PICTURES_MS_MAX))]).then(
      whenPainted,
    );
})();
