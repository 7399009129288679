import { Type } from 'class-transformer';
import { getMetadataStorage, IsString, ValidateNested } from 'class-validator';
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

class WholeDto {
  @ValidateNested({ each: true })
  @Type(() => RequestDto)
  parts: RequestDto[];
}

describe('the rules of a class', () => {
  it('are looked for once, also where it is a part of another', async () => {
    const rules = Reflect.get(getMetadataStorage(), 'validationMetadatas') as Map<unknown, unknown>;
    const looking = jest.spyOn(rules, 'get');
    const value = { parts: Array.from({ length: 100 }, () => ({ text: 'x' })) };
    const check = () => createValidationPipe().transform(value, { type: 'body', metatype: WholeDto });
    for (let times = 0; times < 2; times++) expect(await check()).toEqual(value);
    expect(looking.mock.calls.filter(([looked]) => looked === RequestDto)).toHaveLength(1);
    looking.mockRestore();
  });

  it('refuse a part of another', async () => {
    const wrong = { parts: [{ text: 'x' }, { text: 7 }] };
    await expect(createValidationPipe().transform(wrong, { type: 'body', metatype: WholeDto })).rejects.toMatchObject({
      statusCode: 400,
      code: 'VALIDATION_FAILED',
    });
  });
});

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
