/* Takes the places of Node's own: answers as every V8 with a memory cage does, such as Electron's. */

enum { napi_no_external_buffers_allowed = 22 };

int napi_create_external_arraybuffer(void) { return napi_no_external_buffers_allowed; }
int napi_create_external_buffer(void) { return napi_no_external_buffers_allowed; }
