// Passkeys: a device or a security key that proves who somebody is. Bytes go over the line in base64url.
import { post, Refused, rememberMe } from "./api.js";

const ADDRESS = /^(\d+\.){3}\d+$|:/; // browsers keep passkeys for names alone

/** Return whether passkeys can be had here: by `me`, who knows of the server, and by this page. */
export const hasPasskeys = (me) =>
  Boolean(me?.passkeys && window.isSecureContext && window.PublicKeyCredential && !ADDRESS.test(location.hostname));

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** Return what a device answers; a refusal of the browser's, or of whoever sits there, has a code too. */
async function answered(ask) {
  try {
    return await ask();
  } catch (error) {
    throw new Refused(error.name === "InvalidStateError" ? "passkey-there" : "passkey-none", error.message);
  }
}

/** Make a passkey of mine; return all of them. */
export async function makePasskey() {
  const wanted = await post("/api/passkeys/wanted");
  const made = await answered(() => navigator.credentials.create({
    publicKey: {
      rp: { id: wanted.site, name: "Rookery" },
      user: { id: bytes(wanted.handle), name: wanted.name, displayName: wanted.name },
      challenge: bytes(wanted.challenge),
      pubKeyCredParams: wanted.algorithms.map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: wanted.have.map((id) => ({ type: "public-key", id: bytes(id) })),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "preferred" },
      attestation: "none",
      timeout: wanted.seconds * 1000,
    },
  }));
  const { clientDataJSON, attestationObject } = made.response;
  return post("/api/passkeys", {
    credential: text(made.rawId),
    client_data: text(clientDataJSON),
    attestation: text(attestationObject),
  });
}

/** Come back by a passkey; return who I am now. */
export async function comeBackByPasskey() {
  const asked = await post("/api/return/wanted");
  const shown = await answered(() => navigator.credentials.get({
    publicKey: {
      challenge: bytes(asked.challenge),
      rpId: asked.site,
      userVerification: "preferred",
      timeout: asked.seconds * 1000,
    },
  }));
  const { clientDataJSON, authenticatorData, signature, userHandle } = shown.response;
  return rememberMe(await post("/api/return/passkey", {
    credential: text(shown.rawId),
    client_data: text(clientDataJSON),
    device_data: text(authenticatorData),
    signature: text(signature),
    handle: text(userHandle),
  }));
}
