/**
 * `node scripts/describe-api.mjs [FILE]`: writes the OpenAPI document of the sources; without a FILE, to where the API
 * reads it (a part of `npm run api:types`). Nest's plugin takes what the document says of fields from their types and
 * comments, which needs the types of the whole program. Therefore the document is made here, and not at each build.
 */
import path from 'node:path';
import { before } from '@nestjs/swagger/plugin';
import ts from 'typescript';
import { API_SOURCES, compileAll } from './steps/compile.mjs';
import { endWith, ROOT, runOrExplain } from './steps/run.mjs';

const DOCUMENT = 'apps/api/src/platform/openapi/openapi.json';
const COMPILED = 'dist/described';
const PLUGIN = {
  introspectComments: true,
  classValidatorShim: true,
  dtoFileNameSuffix: ['.dto.ts', '/commands/', '/queries/'],
  esmCompatible: true,
};

try {
  await compileAll(API_SOURCES, COMPILED, describedSources());
  const [file = path.join(ROOT, DOCUMENT)] = process.argv.slice(2);
  const program = path.join(ROOT, COMPILED, 'apps/api/src/describe-api.js');
  await runOrExplain('Describing the API', process.execPath, [program, path.resolve(file)]);
} catch (error) {
  endWith(error);
}

/** The sources that the plugin adds descriptions to, with these. */
function describedSources() {
  const { config } = ts.readConfigFile(path.join(ROOT, 'apps/api/tsconfig.app.json'), (file) => ts.sys.readFile(file));
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, path.join(ROOT, 'apps/api'));
  const program = ts.createProgram(fileNames, options);
  const plugin = before(PLUGIN, program);
  const printer = ts.createPrinter();
  const described = new Map();
  for (const file of program.getSourceFiles()) {
    if (file.isDeclarationFile) continue;
    const { transformed } = ts.transform(file, [plugin], options);
    if (transformed[0] !== file) described.set(path.relative(ROOT, file.fileName), printer.printFile(transformed[0]));
  }
  return described;
}
