/** A file of a takeout: JSON rows that a select gives (rule accounts-25). */
export interface TakeoutSql {
  /** `$1` is the account's id. The names of its columns are the names of the fields; amounts are text, to stay exact. */
  readonly sql: string;
  /** Columns with ids of other members. Their names as the product shows them are added: `otherId` has `otherName`. */
  readonly members?: readonly string[];
}

/** What a member takes out of an area's tables. Every table with rows of members is read here, or has a reason. */
export interface TakeoutLists {
  /** By the file's path without its end: `chats/messages`. */
  readonly files: Readonly<Record<string, TakeoutSql>>;
  /** Tables that give nothing, and why. */
  readonly without?: Readonly<Record<string, string>>;
}
