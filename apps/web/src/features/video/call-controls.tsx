import { Camera, CameraOff, Mic, MicOff, PhoneOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, Field, Select } from '@/shared/ui';
import type { VideoCall } from './use-video-call';

/** Mute, camera off, hang up, and which camera and microphone. */
export function CallControls({ call }: { call: VideoCall }) {
  const { isMuted, isCameraOff, toggleMuted, toggleCamera, stream } = call.media;
  const MicIcon = isMuted ? MicOff : Mic;
  const CameraIcon = isCameraOff ? CameraOff : Camera;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap justify-center gap-3">
        <Button
          size="lg"
          aria-pressed={isMuted}
          icon={<MicIcon aria-hidden="true" className="size-5" />}
          onClick={toggleMuted}
        >
          {isMuted ? 'Unmute' : 'Mute'}
        </Button>
        <Button
          size="lg"
          aria-pressed={isCameraOff}
          icon={<CameraIcon aria-hidden="true" className="size-5" />}
          onClick={toggleCamera}
        >
          {isCameraOff ? 'Camera on' : 'Camera off'}
        </Button>
        <Button
          size="lg"
          variant="danger"
          icon={<PhoneOff aria-hidden="true" className="size-5" />}
          onClick={call.hangUp}
        >
          Hang up
        </Button>
      </div>
      {stream !== null && <DeviceChoice key={stream.id} call={call} stream={stream} />}
    </div>
  );
}

/** The browser names its devices once it may use them. */
function useDevices(): MediaDeviceInfo[] {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    let isGone = false;
    const list = async () => {
      const found = await navigator.mediaDevices.enumerateDevices();
      if (!isGone) setDevices(found);
    };
    const onChange = () => void list();
    onChange();
    navigator.mediaDevices.addEventListener('devicechange', onChange);
    return () => {
      isGone = true;
      navigator.mediaDevices.removeEventListener('devicechange', onChange);
    };
  }, []);
  return devices;
}

function DeviceChoice({ call, stream }: { call: VideoCall; stream: MediaStream }) {
  const devices = useDevices();
  const idOf = (track: MediaStreamTrack | undefined): string | undefined => track?.getSettings().deviceId;
  const cameraId = idOf(stream.getVideoTracks()[0]);
  const microphoneId = idOf(stream.getAudioTracks()[0]);
  const optionsOf = (kind: MediaDeviceKind, name: string) =>
    devices
      .filter((device) => device.kind === kind && device.deviceId !== '')
      .map(({ deviceId, label }, index) => ({ value: deviceId, label: label === '' ? `${name} ${index + 1}` : label }));
  return (
    <div className="mx-auto grid w-full max-w-xl gap-4 sm:grid-cols-2">
      <Field label="Camera">
        <Select
          value={cameraId ?? ''}
          options={optionsOf('videoinput', 'Camera')}
          onChange={(event) => void call.choose({ cameraId: event.target.value, microphoneId })}
        />
      </Field>
      <Field label="Microphone">
        <Select
          value={microphoneId ?? ''}
          options={optionsOf('audioinput', 'Microphone')}
          onChange={(event) => void call.choose({ cameraId, microphoneId: event.target.value })}
        />
      </Field>
    </div>
  );
}
