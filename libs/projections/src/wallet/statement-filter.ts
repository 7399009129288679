import { READ_SCHEMA } from '../schema.js';
import type { StatementType } from '@app/domain';
import { InvalidCursor } from '../invalid-cursor.js';
import { parseStatementId, type StatementPlace } from './statement-row.js';

/** An admin's filter. All given conditions must hold. */
export interface StatementFilter {
  readonly types?: readonly StatementType[];
  /** From this time on. */
  readonly from?: Date;
  /** Before this time. */
  readonly before?: Date;
  readonly userIds?: readonly string[];
  /** The texts that `memberSearch` searches for, one parameter each. */
  readonly search?: readonly string[];
}

/**
 * A select of the ids (one text column) of members that match the texts in the parameters. The API owns the personal
 * data, so it defines how to search it. Example: `([text]) => \`select id::text from users where name ilike '%' ||
 * ${text} || '%'\``.
 */
export type MemberSearch = (parameters: readonly string[]) => string;

/** Conditions on `statement_row r`, with their parameters. */
export class StatementConditions {
  readonly values: unknown[] = [];
  private readonly conditions: string[] = [];

  add(condition: (parameter: string) => string, value: unknown): this {
    this.conditions.push(condition(this.parameter(value)));
    return this;
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

  /** Times become revisions first (`statement_second`), so that the rows' own order serves as their index. */
  filter(filter: StatementFilter, memberSearch: MemberSearch | undefined): this {
    const { types, from, before, userIds, search } = filter;
    if (types) this.add((p) => `r.type = any(${p})`, types);
    if (userIds) this.add((p) => `r.user_id = any(${p})`, userIds);
    if (search) {
      if (!memberSearch) throw new Error('statements are searched by name only where memberSearch says how');
      this.conditions.push(`r.user_id in (${memberSearch(search.map((text) => this.parameter(text)))})`);
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

  private parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

const second = (time: Date): number => Math.floor(time.getTime() / 1_000);

/** The last revision of a journal second before (or up to) one; −1 if there is none. */
const lastRevisionSql = (comparison: '<' | '<=', parameter: string): string =>
  `coalesce((select s.revision from ${READ_SCHEMA}.statement_second s where s.second ${comparison} ${parameter}::bigint
    order by s.second desc limit 1), -1)`;
