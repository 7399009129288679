export { CropDialog, type CropDialogProps } from './crop-dialog';
export { UploadDialog, type UploadDialogProps } from './upload-dialog';
export {
  ADMIN_CONTENT_RULES,
  CONTENT_RULES,
  kindOfFile,
  PROFILE_IMAGE_RULES,
  type MediaKind,
  type UploadedFile,
  type UploadRules,
} from './upload-rules';
export { useUpload, type Upload, type UploadPhase, type UploadState } from './use-upload';
