/** Longer sides are scaled down: no screen can use more. */
export const SIDE_PX_MAX = 8192;
/** For a still picture, before it is decoded: enough for a panorama, or for a camera with 108 million pixels. */
export const IMAGE_PX_MAX = 128_000_000;
/** HEIC is decoded without native code, which is slow. */
export const HEIC_PX_MAX = 50_000_000;
/** For all frames of a moving picture together. Writing that many anew takes some seconds. */
export const FRAMES_PX_MAX = 32_000_000;
/** The same for one that becomes a video: videos are written much faster. */
export const MOVING_VIDEO_PX_MAX = 500_000_000;
export const THUMBNAIL_PX = 640;
