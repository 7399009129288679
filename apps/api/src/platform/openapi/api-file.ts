import { ApiOkResponse } from '@nestjs/swagger';

/** Describes an answer that is text in a file: an example by each content type that it may have. */
export const ApiTextFile = (
  examples: Readonly<Record<string, string>>,
  description = 'The file.',
): MethodDecorator & ClassDecorator =>
  ApiOkResponse({
    description,
    content: Object.fromEntries(
      Object.entries(examples).map(([type, example]) => [type, { schema: { type: 'string' }, example }]),
    ),
  });

/** Describes an answer that is a file of bytes. */
export const ApiBinaryFile = (type: string): MethodDecorator & ClassDecorator =>
  ApiOkResponse({
    description: 'The file.',
    content: { [type]: { schema: { type: 'string', format: 'binary' } } },
  });
