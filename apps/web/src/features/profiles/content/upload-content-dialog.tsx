import { CAPTION_MAX, countCharacters } from '@app/domain';
import { useState } from 'react';
import { failureToast, Field, Textarea, TextInput } from '@/shared/ui';
import { CONTENT_RULES, UploadDialog, type UploadedFile } from '@/shared/uploads';
import type { Surface } from './content-types';
import { readTags, tagComplaint } from './tags';
import { sayNotUploaded, usePublish } from './use-content';

const TITLES = { 'scroll-feed': 'Upload Scroll Feed Content', discovery: 'Upload Discovery Content' } as const;

export interface UploadContentDialogProps {
  surface: Surface;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** One image or video with caption and tags, both optional (rule profiles-11). */
export function UploadContentDialog({ surface, open, onOpenChange }: UploadContentDialogProps) {
  const [caption, setCaption] = useState('');
  const [tagText, setTagText] = useState('');
  const { mutateAsync: publish } = usePublish(surface);
  const [isTagsLeft, setTagsLeft] = useState(false);
  const hashtags = readTags(tagText);
  const captionError =
    countCharacters(caption) > CAPTION_MAX ? `The caption must be at most ${CAPTION_MAX} characters.` : undefined;
  const tagError = tagComplaint(hashtags);
  const complaint = captionError ?? tagError;

  const register = async ({ kind, mediaUrl }: UploadedFile) => {
    if (complaint !== undefined) {
      failureToast('Upload Failed', complaint);
      throw new Error(complaint);
    }
    await publish({ contentType: kind, mediaUrl, caption, hashtags });
  };
  const change = (next: boolean) => {
    onOpenChange(next);
    if (next) return;
    setCaption('');
    setTagText('');
    setTagsLeft(false);
  };
  return (
    <UploadDialog
      open={open}
      onOpenChange={change}
      title={TITLES[surface]}
      description={
        surface === 'discovery' ? 'It can be shown on your profile card.' : 'Everybody can see it in the feed.'
      }
      rules={CONTENT_RULES}
      onUploaded={register}
      onSendFailed={sayNotUploaded}
      {...(complaint === undefined ? {} : { failureText: complaint })}
    >
      <Field label="Caption" {...(captionError === undefined ? { hint: 'Optional.' } : { error: captionError })}>
        <Textarea rows={2} value={caption} onChange={(event) => setCaption(event.target.value)} />
      </Field>
      <Field
        label="Tags"
        {...(isTagsLeft && tagError !== undefined ? { error: tagError } : { hint: tagHint(hashtags) })}
      >
        <TextInput
          dir="auto"
          autoCapitalize="off"
          placeholder="#sky #night"
          value={tagText}
          onBlur={() => setTagsLeft(true)}
          onChange={(event) => setTagText(event.target.value)}
        />
      </Field>
    </UploadDialog>
  );
}

const tagHint = (tags: readonly string[]): string =>
  tags.length === 0 ? 'Optional. Words that begin with #, with spaces between them.' : `Tags: ${tags.join(', ')}`;
