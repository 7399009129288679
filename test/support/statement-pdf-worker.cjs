// The thread that prints statements, run from sources.
require('./from-sources.cjs');
require('../../apps/api/src/wallet/month-statements/statement-pdf-worker.ts');
