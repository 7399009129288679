import type { Schemas } from '@/shared/api';

/** One's own profile. */
export type Profile = Schemas['ProfileDto'];
/** What Edit Profile changes. An empty text takes away what was there. */
export type ProfileEdit = Record<keyof Schemas['ProfileChangesDto'], string>;
export type ChatSettings = Schemas['ProfileSettingsDto'];
