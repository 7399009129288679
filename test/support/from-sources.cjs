// oxlint-disable no-underscore-dangle -- Node's own names
// Loads sources into a process or a thread that a test starts, transformed as for Jest, once for each version of a file.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const CACHE = path.join(__dirname, '../../.cache/from-sources');

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, parent, ...rest) => {
  const isOurs = /^\.{1,2}\/.*\.js$/.test(request) && parent?.filename?.endsWith('.ts');
  const source = isOurs ? path.resolve(path.dirname(parent.filename), request.replace(/\.js$/, '.ts')) : '';
  return isOurs && existsSync(source) ? source : resolve(request, parent, ...rest);
};
Module._extensions['.ts'] = (module, filename) => module._compile(transformed(filename), filename);

function transformed(filename) {
  const source = readFileSync(filename, 'utf8');
  const cached = path.join(CACHE, createHash('sha1').update(filename).update(source).digest('hex'));
  if (existsSync(cached)) return readFileSync(cached, 'utf8');
  const { code } = require('./jest-swc.cjs').process(source, filename);
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(`${cached}.${process.pid}`, code);
  renameSync(`${cached}.${process.pid}`, cached);
  return code;
}
