import type { BackupsConfig } from '../platform/config.js';
import { type BackupPlace, FolderPlace } from './backup-place.js';
import { BucketPlace } from './bucket-place.js';

/** Where backups go by the configuration; undefined where it names no place. */
export const placeOf = ({ to }: Pick<BackupsConfig, 'to'>): BackupPlace | undefined => {
  if (to === undefined) return undefined;
  return typeof to === 'string' ? new FolderPlace(to) : new BucketPlace(to);
};
