import { READ_SCHEMA } from '../schema.js';
import type { StatementType } from '@app/domain';
import { InvalidCursor } from '../invalid-cursor.js';
import { idBytes } from '../tables/id-bytes.js';
import { parseStatementId, type StatementPlace } from './statement-row.js';

/** `in`: what a member got; `out`: what they gave. */
export type Direction = 'in' | 'out';

/** What rows are about: any of these types, or a party that `partySearch` finds by the texts. */
export interface RowSearch {
  readonly types: readonly StatementType[];
  /** One parameter each. */
  readonly texts: readonly string[];
}

/** Which rows of a statement. All given conditions must hold. */
export interface StatementFilter {
  readonly types?: readonly StatementType[];
  /** From this time on. */
  readonly from?: Date;
  /** Before this time. */
  readonly before?: Date;
  readonly userIds?: readonly string[];
  readonly direction?: Direction;
  readonly about?: RowSearch;
  /** The texts that `memberSearch` searches for, one parameter each. */
  readonly search?: readonly string[];
}

/**
 * A select of the ids (one column, as bytes) of members that match the texts in the parameters. The API owns the personal
 * data, so it defines how to search it. Example: `([text]) => \`select uuid_send(id) from users where name ilike '%' ||
 * ${text} || '%'\``.
 */
export type MemberSearch = (parameters: readonly string[]) => string;

/** A condition on `statements_row r`: its other member, application or quest matches the texts in the parameters. */
export type PartySearch = (parameters: readonly string[]) => string;

/** How texts are searched for; a filter that searches where nothing says how is refused. */
export interface Searches {
  readonly memberSearch?: MemberSearch;
  readonly partySearch?: PartySearch;
}

/** Conditions on `statements_row r`, with their parameters. */
export class StatementConditions {
  private readonly conditions: string[] = [];

  /** More than one set of conditions may share the parameters of one query. */
  constructor(readonly values: unknown[] = []) {}

  add(condition: (parameter: string) => string, value: unknown): this {
    this.conditions.push(condition(this.parameter(value)));
    return this;
  }

  ofMember(userId: string): this {
    return this.add((p) => `r.user_id = ${p}`, idBytes(userId));
  }

  /** After a row, in the order newest first. */
  after(cursor: string | undefined): this {
    if (cursor === undefined) return this;
    const place = parseStatementId(cursor);
    if (!place) throw new InvalidCursor();
    return this.compare('<', place);
  }

  /** After a row, in the order oldest first. */
  since(place: StatementPlace): this {
    return this.compare('>', place);
  }

  /** Times become revisions first (`statements_second`), so that the rows' own order serves as their index. */
  filter(filter: StatementFilter, { memberSearch, partySearch }: Searches): this {
    const { types, from, before, userIds, direction, search, about } = filter;
    if (types) this.add((p) => `r.type = any(${p})`, types);
    if (userIds) this.add((p) => `r.user_id = any(${p})`, userIds.map(idBytes));
    if (search) {
      if (!memberSearch) throw new Error('statements are searched by name only where memberSearch says how');
      this.conditions.push(`r.user_id in (${memberSearch(search.map((text) => this.parameter(text)))})`);
    }
    if (direction) this.conditions.push(direction === 'in' ? 'r.amount > 0' : 'r.amount < 0');
    if (about) {
      if (!partySearch) throw new Error('rows are searched by their parties only where partySearch says how');
      const named = this.parameter(about.types);
      const texts = about.texts.map((text) => this.parameter(text));
      this.conditions.push(`(r.type = any(${named}) or ${partySearch(texts)})`);
    }
    if (from) {
      this.add((p) => `r.created_at >= ${p}`, from);
      this.add((p) => `r.revision > ${lastRevisionSql('<', p)}`, second(from));
    }
    if (before) {
      this.add((p) => `r.created_at < ${p}`, before);
      this.add((p) => `r.revision <= ${lastRevisionSql('<=', p)}`, second(before));
    }
    return this;
  }

  get where(): string {
    return this.conditions.length > 0 ? `where ${this.conditions.join(' and ')}` : '';
  }

  private compare(comparison: '<' | '>', place: StatementPlace): this {
    const [revision, index] = [this.parameter(place.revision), this.parameter(place.index)];
    this.conditions.push(`(r.revision, r.idx) ${comparison} (${revision}::bigint, ${index}::smallint)`);
    return this;
  }

  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

const second = (time: Date): number => Math.floor(time.getTime() / 1_000);

/** The last revision of a journal second before (or up to) one; −1 if there is none. */
export const lastRevisionSql = (comparison: '<' | '<=', parameter: string): string =>
  `coalesce((select s.revision from ${READ_SCHEMA}.statements_second s where s.second ${comparison} ${parameter}::bigint
    order by s.second desc limit 1), -1)`;
