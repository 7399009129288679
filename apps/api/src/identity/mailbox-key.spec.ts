import { mailboxKey } from './mailbox-key.js';

describe('the mailbox that an address leads to', () => {
  it.each([
    ['Ada.Lovelace+nova@GMail.com', 'adalovelace@gmail.com'],
    ['a.d.a@googlemail.com', 'ada@gmail.com'],
    ['ada.l+x+y@outlook.com', 'ada.l@outlook.com'],
    ['ada+x@hotmail.co.uk', 'ada@hotmail.co.uk'],
    ['ada+x@live.nl', 'ada@live.nl'],
    ['ada+x@fastmail.fm', 'ada@fastmail.fm'],
    ['ada+x@icloud.com', 'ada@icloud.com'],
    ['a.da+x@proton.me', 'a.da@proton.me'],
    ['ada+x@protonmail.com', 'ada@protonmail.com'],
  ])('of %s is %s', (email, mailbox) => expect(mailboxKey(email)).toBe(mailbox));

  it.each([
    ['Ada.L+x@Example.com', 'ada.l+x@example.com'],
    ['ada+x@mygmail.com', 'ada+x@mygmail.com'],
    ['ada+x@gmail.com.example.org', 'ada+x@gmail.com.example.org'],
    ['ada+x@live.example.com', 'ada+x@live.example.com'],
    // Nothing would be left of it.
    ['+x@gmail.com', '+x@gmail.com'],
  ])('of %s keeps what its provider may tell apart: %s', (email, mailbox) => expect(mailboxKey(email)).toBe(mailbox));
});
