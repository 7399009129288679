import type { Schemas } from '@/shared/api';

/** The member's own profile. */
export type Profile = Schemas['ProfileDto'];
/** What Edit Profile changes. An empty text clears the value. */
export type ProfileEdit = Record<keyof Schemas['ProfileChangesDto'], string>;
export type ChatSettings = Schemas['ProfileSettingsDto'];
