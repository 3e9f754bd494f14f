"""The API of `specs/bookshelf`: Django REST framework with simple JWT, whose refresh tokens rotate. The
argument is the file to which it writes its port; all other files are in the working directory."""

import datetime
import os
import sys

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="a secret that only this test has",
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["127.0.0.1"],
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "rest_framework",
        "rest_framework_simplejwt", "rest_framework_simplejwt.token_blacklist",
    ],
    # Tables are made of the models as they are, without their history.
    MIGRATION_MODULES={"auth": None, "contenttypes": None, "token_blacklist": None},
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3", "NAME": "books.db", "OPTIONS": {"timeout": 600},
        }
    },
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    USE_TZ=True,
    TIME_ZONE="Asia/Kolkata",
    MEDIA_ROOT="media",
    MEDIA_URL="/media/",
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [
            "rest_framework_simplejwt.authentication.JWTAuthentication"
        ],
        "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    },
    SIMPLE_JWT={"ROTATE_REFRESH_TOKENS": True, "BLACKLIST_AFTER_ROTATION": True},
)
django.setup()

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.validators import RegexValidator
from django.core.wsgi import get_wsgi_application
from django.db import models
from django.urls import include, path, re_path
from django.views.static import serve
from rest_framework import pagination, permissions, response, routers, serializers, views, viewsets
from rest_framework.decorators import action
from rest_framework_simplejwt.tokens import AccessToken
from rest_framework_simplejwt.views import TokenObtainPairView, TokenRefreshView


class Book(models.Model):
    isbn = models.CharField(max_length=13, unique=True, validators=[RegexValidator("^[0-9]{13}$")])
    title = models.CharField(max_length=80)
    genre = models.CharField(max_length=10, choices=[("novel", "Novel"), ("poems", "Poems")])
    price = models.DecimalField(max_digits=6, decimal_places=2)
    published = models.DateField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)
    added = models.DateTimeField(auto_now_add=True)
    cover = models.FileField(null=True, blank=True, upload_to="covers")

    class Meta:
        app_label = "auth"  # an app that has its tables made
        ordering = ["id"]


class BookSerializer(serializers.ModelSerializer):
    # Without an offset, in UTC. `added` has the offset of the time zone.
    finished = serializers.DateTimeField(
        default_timezone=None, required=False, allow_null=True, format="%Y-%m-%dT%H:%M:%S.%f")

    class Meta:
        model = Book
        exclude = []
        read_only_fields = ["cover"]

    def validate(self, values):
        if "title" in values and values["title"] == values.get("isbn"):
            raise serializers.ValidationError("A title is no number.")
        return values


class CoverSerializer(serializers.ModelSerializer):
    class Meta:
        model = Book
        fields = ["cover"]
        extra_kwargs = {"cover": {"required": True, "allow_null": False}}


class Pages(pagination.PageNumberPagination):
    page_size = 3
    page_size_query_param = "page_size"


class Books(viewsets.ModelViewSet):
    queryset = Book.objects.all()
    serializer_class = BookSerializer
    pagination_class = Pages

    @action(detail=True, methods=["put"], serializer_class=CoverSerializer)
    def cover(self, request, pk):
        serializer = self.get_serializer(self.get_object(), data=request.data)
        serializer.is_valid(raise_exception=True)
        serializer.save()
        return response.Response(serializer.data)


counts = {"granted": 0, "refused": 0}


class Refresh(TokenRefreshView):
    """Counts what it answers."""

    def finalize_response(self, request, reply, *args, **named):
        counts["granted" if reply.status_code == 200 else "refused"] += 1
        return super().finalize_response(request, reply, *args, **named)


class Tokens(views.APIView):
    """For tests: sets how many seconds new access tokens live, and returns the counters."""

    authentication_classes = []
    permission_classes = [permissions.AllowAny]

    def post(self, request):
        if "lifetime" in request.data:
            AccessToken.lifetime = datetime.timedelta(seconds=int(request.data["lifetime"]))
        return response.Response(counts)


router = routers.DefaultRouter()
router.register("books", Books)
urlpatterns = [
    path("api/token/", TokenObtainPairView.as_view()),
    path("api/token/refresh/", Refresh.as_view()),
    path("api/", include(router.urls)),
    path("tokens/", Tokens.as_view()),
    re_path("media/(?P<path>.*)", serve, {"document_root": "media"}),
]

call_command("migrate", run_syncdb=True, verbosity=0)
User.objects.create_user("ann", password="correct")
server = ThreadedWSGIServer(("127.0.0.1", 0), WSGIRequestHandler)
server.set_app(get_wsgi_application())
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(server.server_port))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
