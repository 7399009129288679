import { STATEMENT_TYPES, type StatementType } from '@app/domain';
import { DELETED_APPLICATION, DELETED_MEMBER, renderDescription } from './describe.js';

/** SQL expressions for the parts of a row's description. */
export interface DescriptionParts {
  readonly type: string;
  readonly clientId: string;
  /** Names; null if they were erased. */
  readonly member: string;
  readonly application: string;
  /** The quest's title; null if the row is about none. */
  readonly quest: string;
}

/** Placeholders for the names while a sentence is split: none of our sentences contains these characters. */
const MEMBER = '\u0001';
const APPLICATION = '\u0002';
const QUEST = '\u0003';
const NAMES = { member: () => MEMBER, application: () => APPLICATION, quest: () => QUEST };

/** `renderDescription` as an SQL expression, made from its own sentences: for exports that the database writes. */
export function descriptionSql(parts: DescriptionParts): string {
  const cases = STATEMENT_TYPES.map((type) => {
    const own = sentenceSql({ type, clientId: null, subject: null }, parts);
    const through = sentenceSql({ type, clientId: APPLICATION, subject: null }, parts);
    const ofQuest = sentenceSql({ type, clientId: null, subject: QUEST }, parts);
    if (own !== through)
      return `when ${literal(type)} then case when ${parts.clientId} is null then ${own} else ${through} end`;
    if (own !== ofQuest)
      return `when ${literal(type)} then case when ${parts.quest} is null then ${own} else ${ofQuest} end`;
    return `when ${literal(type)} then ${own}`;
  });
  return `case ${parts.type} ${cases.join(' ')} end`;
}

interface Sentence {
  readonly type: StatementType;
  readonly clientId: string | null;
  readonly subject: string | null;
}

function sentenceSql(sentence: Sentence, parts: DescriptionParts): string {
  const named = new Map([
    [MEMBER, `coalesce(${parts.member}, ${literal(DELETED_MEMBER)})`],
    [APPLICATION, `coalesce(${parts.application}, ${literal(DELETED_APPLICATION)})`],
    [QUEST, parts.quest],
  ]);
  return renderDescription({ ...sentence, counterpartyId: MEMBER }, NAMES)
    .split(new RegExp(`(${MEMBER}|${APPLICATION}|${QUEST})`))
    .filter((part) => part !== '')
    .map((part) => named.get(part) ?? literal(part))
    .join(' || ');
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
