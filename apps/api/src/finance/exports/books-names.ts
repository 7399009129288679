import { type BooksEvent, utcDay } from '@app/domain';

/** What a reader is told of an event of stream `books`: its code, if it has one, a description, and tags. */
export function booksNames(
  event: BooksEvent,
): readonly [code: string | undefined, description: string, tags: readonly (readonly [name: string, text: string])[]] {
  switch (event.type) {
    case 'ProviderMoved': {
      const { movementId, kind, createdAt, postedAt } = event;
      const created = utcDay(createdAt);
      const late = created < utcDay(postedAt) ? [['late', created] as const] : [];
      return [movementId, `provider ${kind}`, [['movement', movementId], ...late]];
    }
    case 'AdjustmentPosted':
    case 'SubjectExplained':
    case 'PolicySet':
      return [
        undefined,
        event.type,
        [
          ['admin', event.adminId],
          ['reason', event.reasonId],
        ],
      ];
    case 'ProviderRead':
    case 'BooksPeriodClosed':
      return [undefined, event.type, []];
  }
}
