import { ownPasswordFault, passwordFault, pinFault } from './secret-rules.js';

describe('a new PIN', () => {
  it.each([
    ['0000', '1111', '999999', '55555'],
    ['1234', '4321', '123456', '987654', '7890', '0987', '456', '3456'],
    ['1212', '121212', '6969', '12121'],
    ['1122', '112233', '4400'],
    ['1900', '1984', '2000', '2029'],
  ])('is not one that is guessed first: %s …', (...pins) => {
    for (const pin of pins) expect([pin, pinFault(pin)?.code]).toEqual([pin, 'PIN_COMMON']);
  });

  it('may be anything else', () => {
    for (const pin of ['1899', '2030', '4711', '2468', '1123', '190512', '00001', '472916', '1221', '123123']) {
      expect([pin, pinFault(pin)]).toEqual([pin, undefined]);
    }
  });
});

describe('a new password', () => {
  it.each([
    [
      'PASSWORD_PATTERN',
      ['00000000', 'abababab', '123123123', 'aaaaaaaaaaaaaaaa', 'abcabcabca', 'ÄÄÄÄÄÄÄÄ', '🙂🙂🙂🙂🙂🙂🙂🙂'],
    ],
    [
      'PASSWORD_PATTERN',
      [
        '987654321',
        'abcdefgh',
        'ABCDEFGH',
        'zyxwvuts',
        'qwertyuiop',
        'asdfghjk',
        'qwertzuiop',
        'qwerty123456',
        'abc123abc',
      ],
    ],
    ['PASSWORD_PRODUCT', ['nova2026', 'NOVA-2026!', '12nova34', 'novanova1', 'n.o.v.a.1.2.3', 'novaseyvn']],
  ])('is refused with %s: %j', (code, passwords) => {
    for (const password of passwords) expect([password, passwordFault(password)?.code]).toEqual([password, code]);
  });

  it('may be words of one’s own', () => {
    const fine = [
      'correct horse',
      'a quiet night sky',
      'bossa nova at night',
      'casanova lives',
      'abcdefgx',
      '1qf8-ac0z',
      'قهوة في المساء',
    ];
    for (const password of fine) expect([password, passwordFault(password)]).toEqual([password, undefined]);
  });

  it.each([
    ['Lindqvist', 'g@example.com', 'lindqvist1'],
    ['Grace Lindqvist', 'g@example.com', 'LINDQVIST2026'],
    ['Grace Lindqvist', 'g@example.com', 'grace.lindqvist'],
    ['Zofia Kamińska', 'z@example.com', 'Kaminska99'],
    ['Renée', 'z@example.com', 'RENÉE!2026'],
    ['Ada', 'ada.lovelace@example.com', 'lovelace1815'],
    ['Ada', 'ada@lovelace.example', 'lovelace1815'],
    ['ليلى المنصور', 'l@example.com', 'المنصور١٢٣'],
  ])('of %s <%s> is not %s', (displayName, email, password) => {
    expect(ownPasswordFault(password, { displayName, email })?.code).toBe('PASSWORD_PERSONAL');
  });

  it('may have part of a name among other words', () => {
    const ada = { displayName: 'Ada Lovelace', email: 'ada@example.com' };
    for (const password of ['canada in winter', 'correct horse', 'ada and her engine', '1815-12-10-x']) {
      expect([password, ownPasswordFault(password, ada)]).toEqual([password, undefined]);
    }
    expect(ownPasswordFault('correct horse', { displayName: '', email: '' })).toBeUndefined();
    expect(ownPasswordFault('12345xyz', { displayName: '12345', email: '1@example.com' })).toBeUndefined();
  });
});
