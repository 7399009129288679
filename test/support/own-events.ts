/** SQL: this event of the journal is not one that servers record by their clock, from the provider's books or at a day's end. */
export const IS_ONES_DEED = `type !~ '^Provider|^Period|PeriodClosed$'`;
