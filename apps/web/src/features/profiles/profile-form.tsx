import { BIO_MAX, countCharacters, DISPLAY_NAME_MAX, LOCATION_MAX, WEBSITE_MAX } from '@app/domain';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { LeaveDialog } from '@/shared/forms/leave-dialog';
import { Field, Textarea, TextInput } from '@/shared/ui';
import { PROFILE_FORM } from './profile-header';
import { profileSchema, toEdit } from './profile-schema';
import type { Profile, ProfileEdit } from './profile-types';

export interface ProfileFormProps {
  /** The profile from when editing began, so that later updates do not overwrite what is being typed. */
  profile: Profile;
  onSave: (edit: ProfileEdit) => void;
}

/** Name, bio, location and website (rule profiles-2). Save and Cancel are in the page's header. */
export function ProfileForm({ profile, onSave }: ProfileFormProps) {
  const { register, control, handleSubmit, formState, setFocus } = useForm<ProfileEdit>({
    resolver: zodResolver(profileSchema),
    mode: 'onTouched',
    defaultValues: toEdit(profile),
  });
  // The button that was pressed is gone, so the first field takes the focus.
  useEffect(() => setFocus('displayName'), [setFocus]);
  const bio = useWatch({ control, name: 'bio' });
  const { errors, isDirty } = formState;
  return (
    <form
      id={PROFILE_FORM}
      noValidate
      aria-label="Edit Profile"
      className="grid items-start gap-4 sm:grid-cols-2"
      onSubmit={(event) => void handleSubmit(onSave)(event)}
    >
      <LeaveDialog isChanged={isDirty} what="Your changes to your profile" />
      <Field className="sm:col-span-2" label="Display Name" error={errors.displayName?.message}>
        <TextInput
          {...register('displayName')}
          dir="auto"
          autoComplete="nickname"
          // A code point has at most two units; the schema checks the actual limit.
          maxLength={2 * DISPLAY_NAME_MAX}
        />
      </Field>
      <Field
        className="sm:col-span-2"
        label="Bio"
        hint={`${countCharacters(bio.trim())} of ${BIO_MAX} characters`}
        error={errors.bio?.message}
      >
        <Textarea {...register('bio')} rows={4} maxLength={2 * BIO_MAX} />
      </Field>
      <Field label="Location" error={errors.location?.message}>
        <TextInput {...register('location')} dir="auto" maxLength={2 * LOCATION_MAX} />
      </Field>
      <Field label="Website" error={errors.website?.message}>
        <TextInput
          {...register('website')}
          type="url"
          inputMode="url"
          autoComplete="url"
          placeholder="https://"
          maxLength={2 * WEBSITE_MAX}
        />
      </Field>
    </form>
  );
}
