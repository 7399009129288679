import { BIO_MAX, countCharacters, DISPLAY_NAME_MAX, isWebsite, LOCATION_MAX, WEBSITE_MAX } from '@app/domain';
import { z } from 'zod';
import type { Profile, ProfileEdit } from './profile-types';

/** A text without a scheme is taken as a web address, because nobody types the scheme. */
const withScheme = (website: string): string =>
  website === '' || /^[a-z][a-z0-9+.-]*:/i.test(website) || website.startsWith('//') ? website : `https://${website}`;

const text = (max: number, complaint: string) =>
  z
    .string()
    .trim()
    .refine((value) => countCharacters(value) <= max, complaint);

/** The editable fields (rule profiles-2); the server checks them again. */
export const profileSchema = z.object({
  displayName: text(DISPLAY_NAME_MAX, `Display name must be at most ${DISPLAY_NAME_MAX} characters.`)
    // The server decides whether the name is allowed: a name from before the rules stays until it is edited.
    .refine((name) => name !== '', 'Please enter a display name.'),
  bio: text(BIO_MAX, `The bio must be at most ${BIO_MAX} characters.`),
  location: text(LOCATION_MAX, `The location must be at most ${LOCATION_MAX} characters.`),
  website: z
    .string()
    .trim()
    .transform(withScheme)
    .refine(
      (website) => website === '' || (isWebsite(website) && countCharacters(website) <= WEBSITE_MAX),
      'Enter an address such as https://example.com',
    ),
}) satisfies z.ZodType<ProfileEdit, ProfileEdit>;

export const toEdit = ({ displayName, bio, location, website }: Profile): ProfileEdit => ({
  displayName,
  bio: bio ?? '',
  location: location ?? '',
  website: website ?? '',
});
