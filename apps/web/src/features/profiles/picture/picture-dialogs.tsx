import { useState } from 'react';
import { CropDialog, PROFILE_IMAGE_RULES, UploadDialog } from '@/shared/uploads';
import { IMAGE_FAILED, sayImageFailed, useSetProfileImage, useSetThumbnail } from './use-picture';

export interface PictureDialogsProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A new profile picture: uploaded, then cropped to its circle (rule profiles-12). Uncropped it is used as it is. */
export function PictureDialogs({ open, onOpenChange }: PictureDialogsProps) {
  const { mutateAsync: setImage } = useSetProfileImage();
  const { mutateAsync: setThumbnail } = useSetThumbnail();
  const [cropped, setCropped] = useState<string>();
  const [isCropOpen, setCropOpen] = useState(false);
  return (
    <>
      <UploadDialog
        open={open}
        onOpenChange={onOpenChange}
        title="Change Profile Picture"
        description="Next, choose the visible part."
        rules={PROFILE_IMAGE_RULES}
        failureText={IMAGE_FAILED}
        onSendFailed={sayImageFailed}
        onUploaded={async ({ mediaUrl }) => {
          const { profileImageUrl } = await setImage(mediaUrl);
          setCropped(profileImageUrl);
          setCropOpen(true);
        }}
      />
      {cropped !== undefined && (
        <CropDialog
          open={isCropOpen}
          onOpenChange={setCropOpen}
          src={cropped}
          onSave={async (jpeg) => void (await setThumbnail(jpeg))}
        />
      )}
    </>
  );
}
