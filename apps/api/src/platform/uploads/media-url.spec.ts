import { AppError } from '../errors/app-error.js';
import { parseMediaUrl, uploadId } from './media-url.js';

const ID = '0197a0b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b';

describe('the address of an upload', () => {
  it.each([
    `/objects/uploads/${ID}`,
    `/objects/uploads/${ID.toUpperCase()}`,
    `/objects/uploads/${ID}?expires=1&signature=x`,
    `http://localhost:3000/objects/uploads/${ID}`,
    `https://nova.example/objects/uploads/${ID}?expires=1#x`,
    `https://s3.example/bucket/objects/uploads/${ID}?X-Amz-Signature=x`,
  ])('%s names it', (text) => {
    expect(parseMediaUrl(text)).toBe(ID);
  });

  it.each([
    '',
    ID,
    'objects/uploads/x',
    `objects/uploads/${ID}`,
    `/objects/uploads/${ID}/thumbnail`,
    `/objects/uploads/${ID}/..`,
    `/objects/uploads/../../etc/${ID}`,
    `/objects/uploads/%2e%2e/${ID}`,
    `/objects/uploads/${ID}%00`,
    `/x/objects/uploads/${ID}`,
    `//evil.example/objects/uploads/${ID}`,
    `/\\evil.example/objects/uploads/${ID}`,
    `javascript:alert(1)//objects/uploads/${ID}`,
    `data:text/html,/objects/uploads/${ID}`,
    `file:///objects/uploads/${ID}`,
    '/objects/uploads/<script>alert(1)</script>',
    'http://',
  ])('%s names none', (text) => {
    expect(() => parseMediaUrl(text)).toThrow(
      new AppError(400, 'INVALID_MEDIA_URL', 'The address of the file must be one that its upload gave.'),
    );
  });

  it('has an id that is a UUID and nothing else', () => {
    expect(uploadId(ID.toUpperCase())).toBe(ID);
    for (const text of ['', '..', `${ID}.jpg`, `../${ID}`, `${ID}\n`, ID.slice(1)])
      expect(uploadId(text)).toBeUndefined();
  });
});
