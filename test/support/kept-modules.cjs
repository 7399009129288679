// Jest test runner: jest-circus, but the spec files of one worker share what they load. With jest-circus alone, each
// file evaluates the whole application again, some 3,000 modules, which takes longer than most files' tests. This
// runner resets what a file leaves in globals, mocks, timers and settings. Modules keep no state of a database or an
// application outside of objects that each file creates.
const { createRequire } = require('node:module');
const { default: circus } = createRequire(require.resolve('jest'))('jest-circus/runner');

/** The names on the global object under which Jest keeps the state of one file. */
const OF_ONE_FILE = ['EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES', 'RETRY_IMMEDIATELY'].map((name) =>
  Symbol.for(name),
);

/** All applications of a process log where the first one does; here the first one of each file decides. */
const ROOT_LOGGER = /nestjs-pino\/dist\/\w+\/rootLogger\.js$/;

/** By project: a project with a browser's globals shares nothing with one without. */
const keptOf = new Map();

module.exports = async function runWithKeptModules(globalConfig, config, environment, runtime, testPath, sendMessage) {
  const { id } = config;
  if (!keptOf.has(id)) keptOf.set(id, keep(environment, runtime));
  const kept = keptOf.get(id);
  const { global } = kept.environment;
  global.console = environment.global.console;
  const settings = { ...global.process.env };
  // Whether a file may be loaded depends on the phase in which the file before ended.
  kept.runtime.enterTestCode();
  try {
    const timeout = { testTimeout: globalConfig.testTimeout ?? config.testTimeout };
    return await circus({ ...globalConfig, ...timeout }, config, kept.environment, kept.runtime, testPath, sendMessage);
  } finally {
    kept.runtime.restoreAllMocks();
    kept.runtime.clearAllMocks();
    kept.environment.fakeTimers.useRealTimers();
    kept.environment.fakeTimersModern.useRealTimers();
    for (const name of Object.keys(global.process.env)) if (!(name in settings)) delete global.process.env[name];
    Object.assign(global.process.env, settings);
    for (const name of OF_ONE_FILE) delete global[name];
    const { moduleRegistry, internalModuleRegistry } = kept.runtime.registries;
    for (const [file, { exports }] of moduleRegistry) if (ROOT_LOGGER.test(file)) exports.resetRootLogger();
    // Jest-circus itself, with the file's tests, is loaded again, and so are the setup files.
    internalModuleRegistry.clear();
    for (const file of config.setupFilesAfterEnv) moduleRegistry.delete(file);
  }
};

/** The first file's modules and globals stay: Jest is kept from ending them, and finds their source maps for later files. */
function keep(environment, runtime) {
  environment.teardown = async () => undefined;
  runtime.teardown = () => undefined;
  Object.getPrototypeOf(runtime).getSourceMaps = () => runtime.transformCache.getSourceMaps();
  return { environment, runtime };
}
