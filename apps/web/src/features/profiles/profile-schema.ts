import { BIO_MAX, countCharacters, DISPLAY_NAME_MAX, isWebsite, LOCATION_MAX, WEBSITE_MAX } from '@app/domain';
import { z } from 'zod';
import type { Profile, ProfileEdit } from './profile-types';

/** Without a scheme it is taken for an address of the web: nobody types one. */
const withScheme = (website: string): string =>
  website === '' || /^[a-z][a-z0-9+.-]*:/i.test(website) || website.startsWith('//') ? website : `https://${website}`;

const text = (max: number, complaint: string) =>
  z
    .string()
    .trim()
    .refine((value) => countCharacters(value) <= max, complaint);

/** The fields that can be edited (rule profiles-2); the server decides again. */
export const profileSchema = z.object({
  displayName: text(DISPLAY_NAME_MAX, `Display name must be at most ${DISPLAY_NAME_MAX} characters.`)
    // Whether it is a good name the server says: one from before the rules stays until it is edited.
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
