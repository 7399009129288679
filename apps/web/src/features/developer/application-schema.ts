import {
  APPLICATION_DESCRIPTION_MAX,
  APPLICATION_NAME_MAX,
  countCharacters,
  isAppLink,
  isRedirectUri,
  isWebsite,
} from '@app/domain';
import { z } from 'zod';
import { SCOPES, type Scope } from '@/features/oauth/scopes';
import type { Application, NewApplication } from '@/features/oauth/application-types';

/** The scopes that a new application requests by default (rule oauth-2). */
const DEFAULT_SCOPES: readonly Scope[] = ['openid', 'profile', 'email', 'nova'];

// Short enough to stay on one line on a phone, where it replaces the hint.
const ADDRESS_COMPLAINT = 'Use an address like https://example.com';
const REDIRECT_COMPLAINT = 'Use https, or http on localhost.';
const APP_LINK_COMPLAINT = 'Only a public client may use its own scheme.';
const FRAGMENT_COMPLAINT = 'Leave out the part from # on.';

const address = z
  .string()
  .trim()
  .refine((text) => text === '' || isWebsite(text), ADDRESS_COMPLAINT);

/** Empty redirect URIs are dropped; at least one must be left (rule oauth-1). */
const applicationFields = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .refine(
      (name) => countCharacters(name) <= APPLICATION_NAME_MAX,
      `The name must have at most ${APPLICATION_NAME_MAX} characters.`,
    ),
  description: z
    .string()
    .trim()
    .refine(
      (text) => countCharacters(text) <= APPLICATION_DESCRIPTION_MAX,
      `The description must have at most ${APPLICATION_DESCRIPTION_MAX} characters.`,
    ),
  applicationUrl: address,
  logoUrl: address,
  redirectUris: z.array(
    z.object({
      uri: z
        .string()
        .trim()
        .refine((uri) => !uri.includes('#'), { error: FRAGMENT_COMPLAINT, abort: true })
        .refine((uri) => uri === '' || isRedirectUri(uri) || isAppLink(uri), REDIRECT_COMPLAINT),
    }),
  ),
  scopes: z.array(z.string()),
  isPublic: z.boolean(),
  requirePkce: z.boolean(),
  deviceFlow: z.boolean(),
});

/** Any program can register the same scheme, so an application with a secret has none (rule oauth-4). */
export const applicationSchema = applicationFields.superRefine(({ isPublic, redirectUris }, context) => {
  for (const [index, { uri }] of redirectUris.entries()) {
    if (isPublic || !isAppLink(uri)) continue;
    context.addIssue({ code: 'custom', path: ['redirectUris', index, 'uri'], message: APP_LINK_COMPLAINT });
  }
});

export type ApplicationDraft = z.infer<typeof applicationSchema>;

export const emptyDraft = (): ApplicationDraft => ({
  name: '',
  description: '',
  applicationUrl: '',
  logoUrl: '',
  redirectUris: [{ uri: '' }],
  scopes: [...DEFAULT_SCOPES],
  isPublic: false,
  requirePkce: false,
  deviceFlow: false,
});

export const draftOf = (application: Application): ApplicationDraft => ({
  name: application.name,
  description: application.description ?? '',
  applicationUrl: application.applicationUrl ?? '',
  logoUrl: application.logoUrl ?? '',
  redirectUris: application.redirectUris.map((uri) => ({ uri })),
  scopes: application.scopes,
  isPublic: application.isPublic,
  requirePkce: application.requirePkce,
  deviceFlow: application.deviceFlow,
});

/** Whether the draft has what creation needs: a name and one redirect URI (rule oauth-1). */
export const isComplete = (draft: Pick<ApplicationDraft, 'name' | 'redirectUris'>): boolean =>
  draft.name.trim() !== '' && redirectUrisOf(draft).length > 0;

const redirectUrisOf = ({ redirectUris }: Pick<ApplicationDraft, 'redirectUris'>): string[] =>
  redirectUris.map(({ uri }) => uri.trim()).filter((uri) => uri !== '');

/** The body of the calls that create and edit. Creating treats empty texts as absent; editing clears the value. */
export const toBody = (draft: ApplicationDraft): Required<NewApplication> => ({
  name: draft.name,
  description: draft.description,
  applicationUrl: draft.applicationUrl,
  logoUrl: draft.logoUrl,
  redirectUris: redirectUrisOf(draft),
  scopes: SCOPES.filter((scope) => draft.scopes.includes(scope)),
  isPublic: draft.isPublic,
  requirePkce: draft.requirePkce,
  deviceFlow: draft.deviceFlow,
});

/** The form fields that the server complains about, each with its sentence. */
export function serverComplaints(body: unknown): { field: keyof ApplicationDraft; message: string }[] {
  if (typeof body !== 'object' || body === null || !('fields' in body)) return [];
  const { fields } = body;
  if (typeof fields !== 'object' || fields === null) return [];
  return Object.entries(fields).flatMap(([name, messages]: [string, unknown]) => {
    const [field = ''] = name.split('.');
    const first: unknown = Array.isArray(messages) ? messages[0] : undefined;
    return isField(field) && typeof first === 'string' ? [{ field, message: first }] : [];
  });
}

const isField = (name: string): name is keyof ApplicationDraft => Object.hasOwn(applicationFields.shape, name);
