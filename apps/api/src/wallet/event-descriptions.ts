import { type EventNames, type LedgerEvent, rulesOf } from '@app/domain';

/** One sentence about what an event did, the same for every reader. Names are rendered on reading: events hold none. */
export const describeEvent = (event: LedgerEvent, names: EventNames): string => rulesOf(event).sentence(event, names);

/** The ids of the members whom an event's sentence names. */
export const membersOf = (event: LedgerEvent): string[] => idsIn(event).members;

/** The ids of the applications that an event's sentence names. */
export const applicationsOf = (event: LedgerEvent): string[] => idsIn(event).applications;

function idsIn(event: LedgerEvent): { readonly members: string[]; readonly applications: string[] } {
  const members: string[] = [];
  const applications: string[] = [];
  const noteIn = (ids: string[]) => (id: string) => {
    ids.push(id);
    return id;
  };
  describeEvent(event, { member: noteIn(members), application: noteIn(applications) });
  return { members, applications };
}
