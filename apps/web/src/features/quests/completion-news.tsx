import { useState } from 'react';
import type { QuestEntry } from './quest-entries';

/** Says to those who do not see it that a quest was completed while the page was open. */
export function CompletionNews({ entries }: { entries: readonly QuestEntry[] }) {
  const known = entries.some(({ progress }) => progress !== undefined);
  const claimable = entries.filter(({ state }) => state === 'claimable').map(({ quest }) => quest);
  const [seen, setSeen] = useState<{ ids: readonly string[]; news: string } | null>(null);
  const ids = claimable.map(({ id }) => id);
  if (known && (seen === null || seen.ids.join() !== ids.join())) {
    const fresh = seen === null ? [] : claimable.filter(({ id }) => !seen.ids.includes(id));
    setSeen({ ids, news: fresh.map(({ title }) => `Quest complete: ${title}.`).join(' ') });
  }
  return <output className="sr-only">{seen?.news}</output>;
}
