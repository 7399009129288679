import { expect, test } from '@jest/globals';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Avatar, type AvatarProps } from './avatar';

const drawn = (props: AvatarProps): string => renderToStaticMarkup(createElement(Avatar, props));

test('who has no picture is a silhouette', () => {
  expect(drawn({ name: 'Ada', src: null })).toContain('<svg');
  expect(drawn({ name: 'Ada' })).not.toContain('A<');
});

test.each([
  ['ada', 'A'],
  ['😀 Ben', '😀'],
  ['👩‍🚀 Ben', '👩‍🚀'],
  ['🇳🇴', '🇳🇴'],
  ['e\u0301va', 'E\u0301'],
  ['', 'U'],
  [null, 'U'],
])('until the picture of %p has loaded, and where it does not, %s stands for it', (name, letter) => {
  expect(drawn({ name, src: '/face.jpg' })).toContain(`>${letter}<`);
  expect(drawn({ name, src: '/face.jpg' })).not.toContain('<svg');
});
