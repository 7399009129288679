import { STATEMENT_TYPES, type StatementType } from '@app/domain';
import { DELETED_APPLICATION, DELETED_MEMBER, renderDescription } from './describe.js';

/** SQL expressions for the parts of a row's description. */
export interface DescriptionParts {
  readonly type: string;
  readonly clientId: string;
  /** Names; null if they were erased. */
  readonly member: string;
  readonly application: string;
}

/** Placeholders for the names while a sentence is split: none of our sentences contains these characters. */
const MEMBER = '\u0001';
const APPLICATION = '\u0002';
const NAMES = { member: () => MEMBER, application: () => APPLICATION };

/** `renderDescription` as an SQL expression, made from its own sentences: for exports that the database writes. */
export function descriptionSql(parts: DescriptionParts): string {
  const cases = STATEMENT_TYPES.map((type) => {
    const own = sentenceSql(type, null, parts);
    const through = sentenceSql(type, APPLICATION, parts);
    const either = own === through ? own : `case when ${parts.clientId} is null then ${own} else ${through} end`;
    return `when ${literal(type)} then ${either}`;
  });
  return `case ${parts.type} ${cases.join(' ')} end`;
}

function sentenceSql(type: StatementType, clientId: string | null, parts: DescriptionParts): string {
  const named = new Map([
    [MEMBER, `coalesce(${parts.member}, ${literal(DELETED_MEMBER)})`],
    [APPLICATION, `coalesce(${parts.application}, ${literal(DELETED_APPLICATION)})`],
  ]);
  return renderDescription({ type, counterpartyId: MEMBER, clientId }, NAMES)
    .split(new RegExp(`(${MEMBER}|${APPLICATION})`))
    .filter((part) => part !== '')
    .map((part) => named.get(part) ?? literal(part))
    .join(' || ');
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
