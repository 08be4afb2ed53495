/** A message with a field of every kind there is, and one of proto2 and of an edition. */

export const EVERYTHING_PROTO = `
  syntax = "proto3";
  package all.v1;

  import "google/protobuf/any.proto";
  import "google/protobuf/duration.proto";
  import "google/protobuf/field_mask.proto";
  import "google/protobuf/struct.proto";
  import "google/protobuf/timestamp.proto";
  import "google/protobuf/wrappers.proto";

  enum Color {
    option allow_alias = true;
    COLOR_NONE = 0;
    COLOR_RED = 1;
    COLOR_BLUE = 2;
    COLOR_AZURE = 2;
  }

  message Everything {
    enum Size { SMALL = 0; LARGE = -1; }
    message Part { string name = 1; Part inner = 2; }

    double a_double = 1;
    float a_float = 2;
    int32 an_int32 = 3;
    int64 an_int64 = 4;
    uint32 a_uint32 = 5;
    uint64 a_uint64 = 6;
    sint32 a_sint32 = 7;
    sint64 a_sint64 = 8;
    fixed32 a_fixed32 = 9;
    fixed64 a_fixed64 = 10;
    sfixed32 a_sfixed32 = 11;
    sfixed64 a_sfixed64 = 12;
    bool a_bool = 13;
    string a_string = 14;
    bytes some_bytes = 15;
    Color color = 16;
    Size size = 17;
    Part part = 18;
    repeated int32 numbers = 19;
    repeated int64 loose = 20 [packed = false];
    repeated string texts = 21;
    repeated Part parts = 22;
    repeated Color colors = 23;
    map<string, int64> counts = 24;
    map<int32, Part> by_number = 25;
    map<bool, Color> by_truth = 26;
    map<uint64, string> by_long = 27;
    oneof choice { string word = 28; int32 digit = 29; Part piece = 30; }
    optional int32 maybe = 31;
    string renamed = 32 [json_name = "Other"];
    google.protobuf.Timestamp at = 40;
    google.protobuf.Duration lasts = 41;
    google.protobuf.Struct struct = 42;
    google.protobuf.Value value = 43;
    google.protobuf.ListValue list = 44;
    google.protobuf.Int64Value wrapped = 45;
    google.protobuf.StringValue wrapped_text = 46;
    google.protobuf.FieldMask mask = 47;
    google.protobuf.Any any = 48;
    google.protobuf.NullValue nothing = 49;
    repeated google.protobuf.Value values = 50;
  }
`;

export const OLD_PROTO = `
  syntax = "proto2";
  package old;
  message Old {
    required string name = 1;
    optional int32 age = 2 [default = 7];
    repeated int32 numbers = 3;
    optional group Inner = 200 { optional fixed32 deep = 1; }
    repeated group Item = 5 { optional string text = 1; }
    extensions 100 to 199;
  }
  extend Old { optional int32 more = 100; }
`;

export const EDITION_PROTO = `
  edition = "2023";
  package newer;
  message Newer {
    int32 explicit = 1;
    int32 implicit = 2 [features.field_presence = IMPLICIT];
    Newer group = 3 [features.message_encoding = DELIMITED];
    repeated int32 numbers = 4;
  }
`;
