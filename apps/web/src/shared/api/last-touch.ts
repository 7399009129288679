/** What a person does at a page; pages ask for much by themselves. */
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

let touchedAtMs = performance.now();

if (typeof window !== 'undefined') {
  for (const touch of TOUCHES) {
    window.addEventListener(touch, () => (touchedAtMs = performance.now()), { capture: true, passive: true });
  }
}

/** Whole seconds since somebody touched this page: the server ends an admin's session by it. */
export const idleSeconds = (): number => Math.floor((performance.now() - touchedAtMs) / 1000);
