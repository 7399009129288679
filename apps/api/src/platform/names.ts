import { applyDecorators } from '@nestjs/common';
import { isName, NAME_RULE } from '@app/domain';
import { ValidateBy } from 'class-validator';
import unhomoglyph from 'unhomoglyph';
import { AppError } from './errors/app-error.js';
import type { ErrorCode } from './errors/error-codes.js';
import { PASSES_FOR } from './letters.js';

const RESERVED_NAME_RULE = 'This name could be taken for Nova or its staff. Please choose another one.';

/** Names are shorter; what is longer is refused for its length, and not worth a closer look. */
const LOOKED_AT_MAX = 400;

/** A `department` is one beside the product alone: the word for itself is a surname, or says nothing of Nova. */
type Meaning = 'product' | 'office' | 'department' | 'companion';

/** What a name is compared with, as plain letters. The words of office are those of the languages that Nova is read in. */
const WORDS: Readonly<Record<Meaning, string>> = {
  product: 'nova seyvn',
  office: `
    root ceo admin admins administrator administrators administration sysadmin superuser webmaster moderator
    moderators moderation mod mods staff support helpdesk system official team security help service operator
    compliance helpline hotline administrador administradora moderador moderadora soporte ayuda equipo oficial
    suporte ajuda equipe sistema administrateur moderateur assistance officiel systeme amministratore moderatore
    assistenza supporto ufficiale kundendienst hilfe offiziell beheerder ondersteuning pomoc wsparcie oficjalny
    kundtjanst officiell destek yonetici`,
  department: `
    safety verification refund refunds legal management manager managers fraud privacy abuse dispute disputes claims
    recovery payouts appeals giveaway giveaways airdrop rewards cto cfo coo`,
  companion: `
    the of by from at for and in your desk center centre care customer services account accounts member members user
    users finance trust risk sales press developer developers operations treasury founder bonus promo hq app apps
    pay payment payments wallet billing bank bot chat live online real true verified notice notices alert alerts
    info news message login department dept office de del da do di du la le el von van`,
};

/** Words of office, or their stems, in scripts whose letters look like no others: beside the product's name they pose. */
const OFFICE_ELSEWHERE = new RegExp(
  `
    поддерж подтрим підтрим помощ допомог админ адмін администрац модератор команд служб официальн офіційн
    безопасност безпек сотрудник υποστήριξ υποστηριξ διαχειρ βοήθει βοηθει ομάδα ομαδα επίσημ επισημ 客服 官方 支持 支援 帮助
    幫助 管理 团队 團隊 安全 系统 系統 工作人员 退款 サポート 公式 運営 スタッフ 事務局 カスタマー 고객 지원 공식 운영 관리자 직원 دعم مساعد فريق رسمي مشرف إدارة خدمة
    پشتیبان مدیر תמיכה צוות רשמי מנהל שירות सहायता समर्थन टीम आधिकारिक प्रबंधक ฝ่าย แอดมิน ช่วยเหลือ ทีมงาน`
    .trim()
    .split(/\s+/)
    .map((word) => word.normalize('NFKC'))
    .join('|'),
  'u',
);

/** Where letters of scripts that part no words by blanks meet those of Latin. */
const UNPARTED = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Thai}]';
const LATIN = '\\p{scx=Latin}';
const BETWEEN_SCRIPTS = new RegExp(`(?<=${UNPARTED})(?=${LATIN})|(?<=${LATIN})(?=${UNPARTED})`, 'gu');

/** Letters in black or on flags: compatibility forms do not lead from them to letters. [first, how many times the alphabet] */
const BOXED_ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6];

const unboxed = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  const first = BOXED_ALPHABETS.find((start) => code >= start && code < start + 26);
  return first === undefined ? character : String.fromCodePoint(code - first + 0x61);
};

/** Compatibility forms become letters; signs that a name is decorated with are none. */
const lettersOf = (name: string): string =>
  Array.from(name.replace(/[™®©℠]/gu, ' ').normalize('NFKC'), unboxed).join('');

/**
 * What letters look like, in plain small ones: confusable characters (UTS #39) become the letters that they are taken for, marks
 * go, and `i`, `l`, `1` are one. Twice, as a capital looks like something else than its small letter.
 */
function skeletonOf(text: string): string {
  const drawn = Array.from(withoutMarks(text), (letter) => PASSES_FOR.get(letter) ?? letter).join('');
  const plain = unhomoglyph(unhomoglyph(drawn).toLowerCase());
  return withoutMarks(plain)
    .toLowerCase()
    .replace(/!(?=\p{L})|[i|ı]/gu, 'l');
}

/** Without accents, and without whatever else leaves a letter the one that it is. */
const withoutMarks = (text: string): string =>
  text.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '');

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  (['companion', 'department', 'office', 'product'] as const).flatMap((meaning) =>
    WORDS[meaning]
      .trim()
      .split(/\s+/)
      .map((word) => [skeletonOf(word), meaning] as const),
  ),
);

/** Shorter words are part of many names: they count only where they stand alone, but for these. */
const JOINED_MIN = 4;
const JOINED_THOUGH_SHORT = new Set(['pay', 'app', 'bot', 'ceo', 'hq', 'mod'].map(skeletonOf));
const JOINABLE: ReadonlyMap<string, Meaning> = new Map(
  [...MEANINGS].filter(([word]) => word.length >= JOINED_MIN || JOINED_THOUGH_SHORT.has(word)),
);
const JOINED_LENGTH_MAX = Math.max(...Array.from(JOINABLE.keys(), ({ length }) => length));

/** The meanings that a word is made of ("novasupport" is two); undefined where anything else is in it. */
function meaningsOf(word: string): readonly Meaning[] | undefined {
  const whole = MEANINGS.get(word);
  if (whole) return [whole];
  const upTo: (readonly Meaning[] | undefined)[] = [[]];
  for (let end = 1; end <= word.length; end++) {
    for (let start = Math.max(0, end - JOINED_LENGTH_MAX); start < end && !upTo[end]; start++) {
      const [before, meaning] = [upTo[start], JOINABLE.get(word.slice(start, end))];
      if (before && meaning) upTo[end] = [...before, meaning];
    }
  }
  return upTo[word.length];
}

/** Letters that stand apart ("N o v a", "N.o.v.a") are read as one word. */
function wordsOf(skeleton: string): readonly string[] {
  const words: string[] = [];
  let isSpelled = false;
  for (const word of skeleton.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '')) {
    const isLetter = Array.from(word).length === 1;
    if (isLetter && isSpelled) words.push((words.pop() ?? '') + word);
    else words.push(word);
    isSpelled = isLetter;
  }
  return words;
}

/** Whether words say that somebody is the product or its staff, and nothing else; or name the product with a word of office. */
function poses(words: readonly string[], hasOffice: boolean): boolean {
  const meanings = words.map(meaningsOf);
  const all = new Set(meanings.flatMap((found) => found ?? []));
  if (all.has('product') && (hasOffice || all.has('office') || all.has('department'))) return true;
  return meanings.every((found) => found !== undefined) && (all.has('product') || all.has('office'));
}

/** Numbers beside a name ("Nova 2", "admin1", "2admin") make no other one of it; within, they stand for letters. */
const NUMBERS = [/(?!)/u, /\p{N}+(?!\p{L})/gu, /(?<!\p{L})\p{N}+/gu, /(?<!\p{L})\p{N}+|\p{N}+(?!\p{L})/gu];
const NUMBER_ALONE = /(?<![\p{L}\p{N}])\p{N}+(?![\p{L}\p{N}])/gu;
/** Signs part words ("Nova | Support"), or stand for letters ("@dmin"). */
const withoutSigns = (text: string): string => text.replace(/[\p{P}\p{S}]/gu, ' ');

/**
 * Whether a name could be taken for the product or its staff: "Nova", "NOVA Support", "Admin", and whatever looks like them.
 * "Nova Lindqvist" and "Casanova" could not, nor could a name that is wholly in another script, unless its letters look like
 * those words. Beside the product's name, words of office in other scripts count.
 */
export function posesAsNova(name: string): boolean {
  if (name.length > LOOKED_AT_MAX) return false;
  const letters = lettersOf(name).replace(BETWEEN_SCRIPTS, ' ');
  const hasOffice = OFFICE_ELSEWHERE.test(letters.toLowerCase());
  const forms = [letters, withoutSigns(letters)].flatMap((form) => {
    const words = form.replace(NUMBER_ALONE, ' ');
    // As it is as well: spelled apart ("N 0 V A"), a number alone stands for a letter.
    return [form, ...NUMBERS.map((numbers) => words.replace(numbers, ' '))];
  });
  return [...new Set(forms)].some((form) => {
    const words = wordsOf(skeletonOf(form));
    return words.length > 0 && (poses(words, hasOffice) || poses([words.join('')], hasOffice));
  });
}

/** The fault of a chosen name, as a sentence with its code; undefined if there is none. */
function complaintOf(
  name: string,
  code: ErrorCode,
): { readonly code: ErrorCode; readonly message: string } | undefined {
  if (!isName(name)) return { code, message: NAME_RULE };
  return posesAsNova(name) ? { code: 'RESERVED_NAME', message: RESERVED_NAME_RULE } : undefined;
}

/** The name of something that only its owner sees. Another rule requires a name at all. */
export const IsName = (code: ErrorCode): PropertyDecorator =>
  ValidateBy(
    { name: 'isName', validator: { validate: (value: unknown) => typeof value !== 'string' || isName(value) } },
    { message: NAME_RULE, context: { code } },
  );

/** The name of a new member or application, which others see. */
export const IsPublicName = (code: ErrorCode): PropertyDecorator =>
  applyDecorators(
    IsName(code),
    ValidateBy(
      {
        name: 'isNobodyElse',
        validator: { validate: (value: unknown) => typeof value !== 'string' || !isName(value) || !posesAsNova(value) },
      },
      { message: RESERVED_NAME_RULE, context: { code: 'RESERVED_NAME' } },
    ),
  );

export interface NameChange {
  /** Of the body. */
  readonly field: string;
  readonly code: ErrorCode;
  readonly was: string | undefined;
}

/**
 * For a change: a name from before the rules stays until another one is chosen.
 * @throws AppError 400 `code` or `RESERVED_NAME`
 */
export function expectName(name: string, { field, code, was }: NameChange): void {
  if (name === was) return;
  const complaint = complaintOf(name, code);
  if (complaint)
    throw new AppError(400, complaint.code, complaint.message, { extra: { fields: { [field]: [complaint.message] } } });
}
