import { describe, expect, it } from '@jest/globals';
import { readTags, tagComplaint } from './tags';

describe('tags', () => {
  it.each([
    ['#sky #night', ['sky', 'night']],
    ['  #sky   night #Été\n#夜空 ', ['sky', 'Été', '夜空']],
    ['sky night', []],
    ['#deep-blue sea - #night', ['deep-blue', 'night']],
    ['# ## #a#b', ['a#b']],
    ['#sky #sky', ['sky']],
    ['', []],
  ])('reads %j', (text, tags) => expect(readTags(text)).toEqual(tags));

  it('says what is wrong with one', () => {
    expect(tagComplaint(['sky', 'c++'])).toContain('#c++');
    expect(tagComplaint(['x'.repeat(51)])).toMatch(/\.$/);
    expect(tagComplaint(Array.from({ length: 21 }, (_, index) => `t${index}`))).toContain('20');
    expect(tagComplaint(['sky', '夜空', 'a_1', 'deep-blue'])).toBeUndefined();
  });
});
