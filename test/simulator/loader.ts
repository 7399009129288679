import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { transformSync } from '@swc/core';

/** What a module reaches outside itself for: a simulated process gives its own. No global of this process is touched. */
export interface Surroundings {
  readonly setTimeout: unknown;
  readonly clearTimeout: unknown;
  readonly setInterval: unknown;
  readonly clearInterval: unknown;
  readonly setImmediate: unknown;
  readonly clearImmediate: unknown;
  readonly performance: unknown;
  readonly Date: unknown;
  readonly Math: unknown;
  readonly AbortController: unknown;
}

/** Changes a module's source as it is loaded: undefined where it has nothing to do with it. */
export type Plant = (file: string, source: string) => string | undefined;

export interface LoaderOptions {
  /** The project's folder. */
  readonly root: string;
  readonly surroundings: Surroundings;
  /** Modules of Node that are replaced, by their names. */
  readonly builtins?: Readonly<Record<string, object>>;
  /** Whose instances are used of every file that is not owned. */
  readonly shared?: { readonly load: Load; readonly owns: (file: string) => boolean };
  readonly plant?: Plant | undefined;
}

/** @param file from the project's folder on */
export type Load = (file: string) => object;

type ModuleBody = (...parameters: unknown[]) => void;

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];
const NAMES = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'performance',
  'Date',
  'Math',
  'AbortController',
] as const satisfies readonly (keyof Surroundings)[];
const LIBRARY = /^@app\/([a-z-]+)$/;

const sources = new Map<string, string>();
const compiled = new Map<string, ModuleBody>();
/** Where a module finds what it imports by a name. */
const files = new Map<string, string | undefined>();

/** A module is read and compiled once for all processes, but for what is planted in it. */
function compile(file: string, plant: Plant | undefined): ModuleBody {
  const source = sources.get(file) ?? readFileSync(file, 'utf8');
  sources.set(file, source);
  const planted = plant?.(file, source);
  const known = compiled.get(planted ?? file);
  if (known) return known;
  const { code } = transformSync(planted ?? source, {
    filename: file,
    swcrc: false,
    configFile: false,
    sourceMaps: 'inline',
    module: { type: 'commonjs' },
    isModule: true,
    jsc: {
      target: 'es2022',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
  });
  const body = vm.compileFunction(code, [...PARAMETERS, ...NAMES], { filename: file }) as ModuleBody;
  compiled.set(planted ?? file, body);
  return body;
}

/** Loads the project's TypeScript as it is, with instances of its own. */
export function createLoader({ root, surroundings, builtins = {}, shared, plant }: LoaderOptions): Load {
  const nodeRequire = createRequire(path.join(root, 'package.json'));
  const values = NAMES.map((name) => surroundings[name]);
  const modules = new Map<string, { exports: object }>();

  const fileOf = (from: string, name: string): string | undefined => {
    const key = `${path.dirname(from)}\n${name}`;
    if (!files.has(key)) files.set(key, findFile(from, name));
    return files.get(key);
  };
  const findFile = (from: string, name: string): string | undefined => {
    const [, library] = LIBRARY.exec(name) ?? [];
    if (library !== undefined) return path.join(root, 'libs', library, 'src/index.ts');
    if (!name.startsWith('.')) return undefined;
    const file = path.resolve(path.dirname(from), name).replace(/\.js$/, '.ts');
    return existsSync(file) ? file : undefined;
  };

  const load = (file: string): object => {
    const known = modules.get(file);
    if (known) return known.exports;
    const fromRoot = file.slice(root.length + 1);
    if (shared && !shared.owns(fromRoot)) return shared.load(fromRoot);
    const module = { exports: {} };
    modules.set(file, module);
    const requireIn = (name: string): unknown => {
      const found = fileOf(file, name);
      return found === undefined ? (builtins[name] ?? nodeRequire(name)) : load(found);
    };
    compile(file, plant)(module.exports, requireIn, module, file, path.dirname(file), ...values);
    return module.exports;
  };
  return (file) => load(path.join(root, file));
}
