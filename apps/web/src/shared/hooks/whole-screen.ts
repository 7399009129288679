import { useEffect } from 'react';
import { useMatches } from 'react-router-dom';

/** The handle of a route whose page takes the whole screen: a conversation, a call. */
export const FILLS_SCREEN = { fillsScreen: true } as const;

export const useFillsScreen = (): boolean => useMatches().some(({ handle }) => handle === FILLS_SCREEN);

/**
 * While `isOn`, `--visible-height` and `--visible-top` are the part of the screen that a phone's keyboard leaves. Safari
 * lays the keyboard over the page, which knows nothing of it; elsewhere `100dvh` is that height
 * (`interactive-widget`).
 */
export function useVisibleHeight(isOn: boolean): void {
  useEffect(() => {
    const { visualViewport: visible } = window;
    if (!isOn || !visible) return undefined;
    const { style } = document.documentElement;
    const forget = () => {
      style.removeProperty('--visible-height');
      style.removeProperty('--visible-top');
    };
    const measure = () => {
      // Whoever has zoomed in looks at a part of the page and moves it themselves.
      if (visible.scale !== 1) return;
      style.setProperty('--visible-height', `${visible.height}px`);
      style.setProperty('--visible-top', `${visible.offsetTop}px`);
    };
    measure();
    visible.addEventListener('resize', measure);
    visible.addEventListener('scroll', measure);
    return () => {
      visible.removeEventListener('resize', measure);
      visible.removeEventListener('scroll', measure);
      forget();
    };
  }, [isOn]);
}
