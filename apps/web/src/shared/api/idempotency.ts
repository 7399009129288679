import { useRef } from 'react';
import { v7 as uuidV7 } from 'uuid';
import { serverNowMs } from './server-clock';

/**
 * A key for one action of the user: a UUIDv7 whose time follows the server's clock, because the server refuses keys
 * more than a minute ahead of its own clock (rule ledger-26).
 */
export const newIdempotencyKey = (): string => uuidV7({ msecs: serverNowMs() });

export interface ActionKey {
  /** The key of this action. It stays the same for the same body until `done`, so that a retry never charges twice. */
  keyFor: (body: unknown) => string;
  /** The action took effect: the next one is a new action, even with the same body. */
  done: () => void;
}

/** Keeps one idempotency key for each action of the user across its retries (rule general-10). */
export function useActionKey(): ActionKey {
  const held = useRef<{ key: string; body: string } | null>(null);
  return {
    keyFor(body) {
      const text = JSON.stringify(body) ?? '';
      if (held.current === null || held.current.body !== text) held.current = { key: newIdempotencyKey(), body: text };
      return held.current.key;
    },
    done() {
      held.current = null;
    },
  };
}
