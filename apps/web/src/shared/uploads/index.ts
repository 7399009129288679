export { CropDialog } from './crop-dialog';
export { UploadDialog } from './upload-dialog';
export { ADMIN_CONTENT_RULES, CONTENT_RULES, PROFILE_IMAGE_RULES, type UploadedFile } from './upload-rules';
