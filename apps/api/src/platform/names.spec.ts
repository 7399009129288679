import fc from 'fast-check';
import { posesAsNova } from './names.js';

describe('posesAsNova', () => {
  it.each([
    'Nova',
    'NOVA',
    'nova.',
    'Nova Support',
    'Nova Team',
    'Official Nova',
    'The Nova Team',
    'Nova — Customer Care',
    'NovaSupport',
    'nova_admin',
    'Anna from Nova Support',
    'Nova 2',
    '5taff1',
    'Nova | Support',
    '@dmin 1',
    '*** NOVA ***',
    'Nova™',
    '✅ Nova',
    'Admin',
    'ADMIN',
    'admin1',
    'Administrator',
    'Moderator',
    'Support',
    'STAFF',
    'System',
    'Support Team',
    'Soporte',
    'Equipo Nova',
    'Assistance Nova',
    // Confusable letters: Cyrillic, Greek, Armenian.
    'Novа',
    'Nоva',
    'ΝOVΑ',
    'Noνa',
    'ЅΥЅТЕМ',
    'ѕuрроrt',
    'Аdmіn',
    // Compatibility forms: full width, mathematical, circled, boxed, flags.
    'Ｎｏｖａ',
    '𝐍𝐨𝐯𝐚',
    '𝓝𝓸𝓿𝓪 𝓢𝓾𝓹𝓹𝓸𝓻𝓽',
    'Ⓝⓞⓥⓐ',
    '🅽🅾🆅🅰',
    '🇳🇴🇻🇦',
    // Digits and signs for letters.
    'N0va',
    'N0VA 24',
    'Adm1n',
    'AdmIn',
    'Adm|n',
    'Supp0rt',
    '@dmin',
    '5upport',
    'NOV4',
    'NOVΛ',
    // Marks, spacing, punctuation, two letters that look like one.
    'Nóva',
    'N\u0336o\u0336v\u0336a\u0336',
    'N o v a',
    'N 0 V A',
    'N-0-V-A',
    'N 0 v a Support',
    'A D M 1 N',
    'N.o.v.a',
    'N-o-v-a S u p p o r t',
    'Adrnin',
    'Systern',
    'No va',
    // Letters that the tables of confusable characters leave as they are.
    'ɴova',
    'ɴᴏᴠᴀ',
    'ⲛova',
    'ⲚⲞVA',
    'ŋova',
    'Ŋova',
    'Noⱱa',
    'Noʋa',
    'Noꝟa',
    'Nøva',
    'Nǿva',
    'N∅va',
    'N⭕va',
    'N🔴va',
    'No√a',
    '₦ova',
    'ꜱᴜᴘᴘᴏʀᴛ',
    // Whoever runs it, and what it would be called.
    'Seyvn',
    'Seyvn Support',
    'NovaPay',
    'Nova-Pay',
    'NovaHQ',
    'Novabot',
    // Offices.
    'Root',
    'Nova Safety',
    'Nova Verification',
    'Nova Refunds',
    'Nova Legal',
    'Anna, Nova Legal',
    'Nova CEO',
    'Nova Management',
    'Nova Fraud Department',
    'Nova Rewards',
    // The product, and an office in another script.
    'Nova поддержка',
    'Служба поддержки Nova',
    'Nova — Администрация',
    '客服 Nova',
    '客服Nova',
    'Nova官方',
    'Novaサポート',
    'Nova 고객센터',
    'دعم Nova',
    'תמיכה Nova',
    'Nova υποστήριξη',
    'Nova सहायता',
  ])('%j does', (name) => expect(posesAsNova(name)).toBe(true));

  it.each([
    'Nova Lindqvist',
    'Anna Nova',
    'Jana Nová',
    'Casanova',
    'Supernova',
    'Bossa Nova',
    'Novak',
    'Villanova',
    'Innova',
    'Novalis',
    'Nova Scotia',
    'Nova Pocket',
    'Robin Admin',
    'Support Your Local Library',
    'Modesty',
    'Staffan',
    'Teams',
    'Ada',
    'M',
    '1',
    '42',
    '👩‍🚀',
    '¿?',
    'Нова Петрова',
    'Нова',
    'Сова',
    'Поддержка',
    'サポート',
    'נובה',
    'نوفا',
    'Νόβα',
    'Villanova Legal',
    'Legal',
    'Elihu Root',
    'Novana',
    'Novara',
    'Nova 李',
    '노바',
    'Øystein',
    'Łukasz',
    'Ŋaŋa',
    'Нова поддержка',
    '客服',
    'Supernova 官方',
    '',
  ])('%j does not', (name) => expect(posesAsNova(name)).toBe(false));

  const LOOKALIKES: Readonly<Record<string, readonly string[]>> = {
    n: ['n', 'N', 'Ν', 'ｎ', '𝐧', 'ո', 'Ⓝ', 'ɴ', 'ŋ'],
    o: ['o', 'O', '0', 'о', 'ο', 'О', 'օ', '𝑜', 'ö', '∅', 'ᴏ'],
    v: ['v', 'V', 'ν', 'ѵ', 'ｖ', '𝓿', 'ʋ', 'ⱱ'],
    a: ['a', 'A', 'а', 'А', 'α', 'Α', '4', 'á', '𝒂'],
    d: ['d', 'D', 'ԁ', 'ｄ'],
    m: ['m', 'M', 'М', 'rn', 'ｍ'],
    i: ['i', 'I', '1', 'l', '|', 'і', 'ı'],
    s: ['s', 'S', 'ѕ', '5', 'Ѕ'],
    t: ['t', 'T', 'Т', '7'],
    f: ['f', 'F', 'ｆ'],
  };
  const written = (word: string): fc.Arbitrary<string> =>
    fc
      .tuple(...Array.from(word, (letter) => fc.constantFrom(...(LOOKALIKES[letter] ?? [letter]))))
      .map((parts) => parts.join(''));

  it('does so in whichever letters that look alike it is written', () => {
    const names = fc.tuple(
      fc.constantFrom('nova', 'admin', 'staff').chain(written),
      fc.constantFrom('', ' ', '.', '!', ' 1'),
    );
    fc.assert(fc.property(names, ([name, after]) => expect(posesAsNova(name + after)).toBe(true)));
  });

  it('does not where another word of the name is nobody’s office', () => {
    const others = fc.constantFrom('Lindqvist', 'Garcia', 'Öberg', 'Петрова', '田中', 'O’Hara');
    fc.assert(
      fc.property(written('nova'), others, fc.boolean(), (nova, other, first) =>
        expect(posesAsNova(first ? `${nova} ${other}` : `${other} ${nova}`)).toBe(false),
      ),
    );
  });

  it('looks at no text that is too long for a name', () => {
    const started = performance.now();
    for (const text of ['nova'.repeat(10_000), 'a'.repeat(400), 'i'.repeat(400), 'nova '.repeat(80)]) posesAsNova(text);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
