import { IsString } from 'class-validator';
import { createValidationPipe, Frame } from './validation.js';

class RequestDto {
  @IsString()
  text: string;
}

@Frame()
class TextFrame {
  @IsString()
  text: string;
}

describe('a field that nobody asked for', () => {
  const check = (metatype: typeof RequestDto | typeof TextFrame, value: object) =>
    createValidationPipe().transform(value, { type: 'body', metatype });
  const value = () => ({ type: 'x', text: 'y' });

  it('is refused in a request', async () => {
    await expect(check(RequestDto, value())).rejects.toMatchObject({ statusCode: 400, code: 'UNKNOWN_FIELD' });
  });

  it('is left out of a frame, whose other fields are checked all the same', async () => {
    expect(await check(TextFrame, value())).toEqual({ text: 'y' });
    await expect(check(TextFrame, { text: 7 })).rejects.toMatchObject({ statusCode: 400, code: 'VALIDATION_FAILED' });
  });
});
