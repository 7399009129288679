// The process that reads members' files, run from sources.
require('./from-sources.cjs');
require('../../apps/api/src/platform/uploads/media/media-child.ts');
